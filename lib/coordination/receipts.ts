/** What a receiver does with messages, by their receipts. At most 10 at a time. */
export interface Receipts {
  /** Deletes them: the next messages of their group may be handed out. */
  delete(url: string, receipts: readonly string[]): Promise<void>;
  /** Shows them again after so many ms, rounded up to whole seconds, and not when their visibility is over. */
  showAgain(url: string, receipts: readonly string[], delay: number): Promise<void>;
}
