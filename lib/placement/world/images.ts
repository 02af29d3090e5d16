import type { Node } from '../objects.ts';

interface ImageState {
  /** The size in bytes, as the first node with the image reported it. */
  readonly bytes: number;
  readonly nodes: Set<string>;
}

/** The images on the nodes. */
export class Images {
  readonly #byName = new Map<string, ImageState>();

  add({ metadata, status }: Node): void {
    for (const { names, sizeBytes } of status?.images ?? []) {
      for (const name of names ?? []) {
        const state = this.#byName.get(name) ?? { bytes: sizeBytes ?? 0, nodes: new Set<string>() };
        this.#byName.set(name, state);
        state.nodes.add(metadata?.name ?? '');
      }
    }
  }

  remove(node: string, images: Iterable<string>): void {
    for (const name of images) {
      const state = this.#byName.get(name);
      state?.nodes.delete(node);
      if (state?.nodes.size === 0) this.#byName.delete(name);
    }
  }

  /** Returns an image by name; undefined if no node has it. */
  find(name: string): { readonly bytes: number; readonly nodeCount: number } | undefined {
    const state = this.#byName.get(name);
    return state && { bytes: state.bytes, nodeCount: state.nodes.size };
  }
}
