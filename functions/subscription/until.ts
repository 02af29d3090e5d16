const PAUSE = 1_000;
/** How often a state is read until it is the expected one. The function has five minutes. */
const LOOKS = 240;

/** Waits until `look` returns a value. @throws {Error} it returned none for four minutes */
export async function until<Seen>(
  sleep: (milliseconds: number) => Promise<void>,
  what: string,
  look: () => Promise<Seen | undefined>,
): Promise<Seen> {
  for (let looks = 1; ; looks++) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (looks === LOOKS) throw new Error(`timed out after ${(LOOKS * PAUSE) / 1_000} s: ${what}`);
    await sleep(PAUSE);
  }
}
