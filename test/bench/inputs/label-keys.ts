import type { Condition } from './condition.ts';
import { type SeededRandom, Zipf } from './random.ts';

/** A label key and how often objects carry which of its values. */
export class LabelKey {
  readonly name: string;
  /** The part of the objects that carry it. */
  readonly presence: number;
  readonly #values: Zipf;

  constructor(name: string, presence: number, values: Zipf) {
    this.name = name;
    this.presence = presence;
    this.#values = values;
  }

  draw(random: SeededRandom): string {
    return `v${this.#values.draw(random)}`;
  }

  /** Up to `count` different values. */
  drawSome(random: SeededRandom, count: number): string[] {
    const wanted = Math.min(count, this.#values.size);
    const drawn = new Set<string>();
    while (drawn.size < wanted) drawn.add(this.draw(random));
    return [...drawn];
  }

  /** The part of the objects that a condition on this key accepts. */
  probability({ operator, values }: Condition): number {
    const carried = () =>
      values.reduce((sum, value) => sum + this.#values.probability(Number(value.slice(1))), 0);
    switch (operator) {
      case '=':
      case 'in':
        return this.presence * carried();
      case '!=':
      case 'notin':
        return 1 - this.presence * carried();
      case 'exists':
        return this.presence;
      case '!':
        return 1 - this.presence;
      default:
        throw operator satisfies never;
    }
  }
}

/** Keys of which every object carries `carried`, each key as often as another. */
export function evenKeys(options: { count: number; carried: number; values: Zipf }): LabelKey[] {
  return Array.from(
    { length: options.count },
    (_, at) =>
      new LabelKey(`label-${String(at).padStart(2, '0')}`, options.carried / options.count, options.values),
  );
}

export function plainKey(name: string, size: number, exponent = 0): LabelKey {
  return new LabelKey(name, 1, new Zipf(size, exponent));
}
