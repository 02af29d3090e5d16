/** Mutants that nothing finds out, and why that is no fault. */
export interface Survivors {
  readonly why: string;
  readonly mutants: readonly string[];
}

/** The files whose every survivor was covered or is explained here. */
export const JUDGED: readonly string[] = [
  'lib/store/holes.ts',
  'lib/store/journal-tail.ts',
  'lib/watch/lease.ts',
];

export const SURVIVORS: readonly Survivors[] = [
  {
    why: 'Where the two are equal an empty stretch is read, which asks the table for nothing and adds nothing.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.cover boundary: above < view.after → <=',
      'lib/store/journal-tail.ts JournalTail.next boundary: after > this.#view.upTo → >=',
      'lib/store/journal-tail.ts JournalTail.#reach boundary: upTo <= known.upTo → <',
      'lib/store/journal-tail.ts JournalTail.#start boundary: after > compacted → >=',
    ],
  },
  {
    why: 'One millisecond of a bound that has seconds to spare.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.#start boundary: entry.time < young → <=',
      'lib/store/journal-tail.ts JournalTail.#trim boundary: entry.time >= young → >',
    ],
  },
  {
    why: 'One byte of 32 MiB.',
    mutants: ['lib/store/journal-tail.ts JournalTail.#trim boundary: bytes <= MOST_BYTES → <'],
  },
  {
    why: 'A copy of the same entries.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.#trim early end dropped: if (forget === 0) return view;',
    ],
  },
  {
    why: 'Settling answers at least one entry, so the default never stands; the type check asks for it.',
    mutants: [
      'lib/store/journal-tail.ts JournalTail.next default dropped: entries.at(-1)?.rv ?? after → entries.at(-1)?.rv',
    ],
  },
];

export function knownSurvivors(): ReadonlySet<string> {
  return new Set(SURVIVORS.flatMap(({ mutants }) => mutants));
}
