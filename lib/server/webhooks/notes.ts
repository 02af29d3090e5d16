/** What rules say about a write besides allowing it. */
export interface Notes {
  /** For `Warning` headers. */
  readonly warnings: readonly string[];
  /** For the audit event of the request. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The most warnings of one request. A response has room for fewer. */
const MOST_WARNINGS = 200;

/** Collects notes. The first annotation of a key stays, as upstream. */
export class NoteBook implements Notes {
  readonly warnings: string[] = [];
  readonly annotations: Record<string, string> = {};

  annotate(key: string, value: string): void {
    this.annotations[key] ??= value;
  }

  merge({ warnings, annotations }: Notes): void {
    this.#warn(warnings);
    for (const [key, value] of Object.entries(annotations)) this.annotate(key, value);
  }

  /** Adds the notes of a webhook. */
  add(webhook: string, { warnings, auditAnnotations }: Heard): void {
    this.#warn(warnings);
    for (const [key, value] of Object.entries(auditAnnotations)) this.annotate(`${webhook}/${key}`, value);
  }

  #warn(warnings: readonly string[]): void {
    const room = Math.max(0, MOST_WARNINGS - this.warnings.length);
    for (const warning of warnings.slice(0, room)) this.warnings.push(warning);
  }
}

interface Heard {
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}
