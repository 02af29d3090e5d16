import type { World } from '../world/index.ts';
import type { AskedPod } from './asked-pod.ts';
import { MOST_SCORE, type ScoreRule } from './rule.ts';
import { scoreEach } from './score-each.ts';

const MIB = 1024 * 1024;
const LEAST = 23 * MIB;
/** The bytes of images, for each container, that give the highest score. More bytes count no further. */
const MOST = 1000 * MIB;

/** Scores a node higher the more bytes of the pod's images it has. An image on few nodes counts less. */
export const imageLocality: ScoreRule = {
  name: 'ImageLocality',
  weight: 1,
  score(asked, world, nodes) {
    const images = imagesOf(asked);
    const held = heldImages(images, world);
    const scoreOf = (bytes: number) => toScore(bytes, images.length);
    const none = scoreOf(0);
    return scoreEach(nodes, (node) => {
      if (held.length === 0 || node.images.size === 0) return none;
      let bytes = 0;
      for (const image of held) if (node.images.has(image.name)) bytes += image.bytes;
      return scoreOf(bytes);
    });
  },
};

function imagesOf({ spec }: AskedPod): readonly string[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return containers.map(({ image }) => withTag(image ?? ''));
}

function withTag(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

/** Returns the images that at least one node has, with their bytes times the share of nodes that have them. */
function heldImages(images: readonly string[], { images: known, nodes }: World) {
  return images.flatMap((name) => {
    const image = known.find(name);
    if (image === undefined) return [];
    return [{ name, bytes: Math.trunc(image.bytes * (image.nodeCount / nodes.present.length)) }];
  });
}

function toScore(bytes: number, containers: number): number {
  const most = MOST * containers;
  const counted = bytes < LEAST ? LEAST : Math.min(bytes, most);
  return Math.trunc((MOST_SCORE * (counted - LEAST)) / (most - LEAST)) || 0;
}
