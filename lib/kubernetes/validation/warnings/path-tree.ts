interface Node {
  /** The texts of the files that end here, with their positions. */
  readonly files: [at: number, text: string][];
  readonly children: Map<string, Node>;
}

/** The added paths of files, by their segments. The cost to add a path depends only on its length. */
export class PathTree {
  readonly #root = emptyNode();
  #size = 0;

  /**
   * Adds a file.
   *
   * @returns the texts of the files that were added before at this path, above it and below it, in the order in which
   * they were added
   */
  add(path: string, text: string): string[] {
    const found: [at: number, text: string][] = [];
    let node = this.#root;
    for (const segment of path.split('/')) {
      for (const file of node.files) found.push(file);
      let next = node.children.get(segment);
      if (next === undefined) {
        next = emptyNode();
        node.children.set(segment, next);
      }
      node = next;
    }
    for (const file of filesFrom(node)) found.push(file);
    node.files.push([this.#size, text]);
    this.#size += 1;
    return found.sort(([one], [other]) => one - other).map(([, each]) => each);
  }
}

function emptyNode(): Node {
  return { files: [], children: new Map() };
}

/** Yields the files at a node and below it. A loop, because a path may have very many segments. */
function* filesFrom(start: Node): Generator<[at: number, text: string]> {
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield* node.files;
    for (const each of node.children.values()) open.push(each);
  }
}
