/**
 * The way from a variable to a value: the variable, then field names, `@items`, `@keys`, `@values` and `@indices`.
 * Upstream appends to slices, and two paths may share one array: the second then changes the first. Estimates depend on
 * this, so that paths share their parts here too.
 */
export class Path {
  readonly #parts: string[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(parts: string[], length: number, capacity: number) {
    this.#parts = parts;
    this.#length = length;
    this.#capacity = capacity;
  }

  static of(variable: string): Path {
    return new Path([variable], 1, 1);
  }

  /** Returns the path of a part. A value without a path has parts whose path begins with them. */
  static append(path: Path | undefined, part: string): Path {
    return path === undefined ? Path.of(part) : path.#append(part);
  }

  get parts(): readonly string[] {
    return this.#parts.slice(0, this.#length);
  }

  #append(part: string): Path {
    if (this.#length < this.#capacity) {
      this.#parts[this.#length] = part;
      return new Path(this.#parts, this.#length + 1, this.#capacity);
    }
    return new Path([...this.parts, part], this.#length + 1, this.#capacity * 2);
  }
}
