import type { Random } from '../../lib/platform/index.ts';
import { seeded } from '../support/watch/memory-world.ts';
import { type FuzzRequest, KIB, type Shape } from './fuzz-request.ts';

const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const ACCEPTED = ['*/*', 'application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io'];
/** What parsers stumble over. */
const TOKENS = [
  ...[
    'null',
    'true',
    '{}',
    '[]',
    '""',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\0',
    '\n',
    '\t',
    '%',
    '&a ',
    '*a',
  ],
  ...[
    '- ',
    '? ',
    '<<: ',
    '---\n',
    '...\n',
    '!!',
    '1e999',
    '-0',
    '0x',
    '\\u0000',
    '\\ud800',
    '__proto__',
    '\u2028',
    '\ufeff',
  ],
  ...[
    '$patch',
    '$setElementOrder/',
    '$retainKeys',
    '/-',
    '~0',
    '~2',
    'k8s\0',
    '\xff',
    '"metadata":null',
    '"spec":null',
  ],
];

/** A request of a shape, small and damaged at a few places. The same seed gives the same request. */
export function mutatedRequest(
  shapes: readonly Shape[],
  seed: number,
): { shape: Shape; request: FuzzRequest } {
  const random = seeded(seed);
  const pick = <One>(from: readonly One[]) => from[Math.floor(random.fraction() * from.length)] as One;
  const shape = pick(shapes);
  const made = shape.make(Math.min(shape.most, Math.floor(2 ** (6 + random.fraction() * 8))), random);
  const body = made.body === undefined ? undefined : damaged(Buffer.from(made.body), random);
  return {
    shape,
    request: {
      ...made,
      // Without a rehearsal where the request is refused anyway: what is refused must change nothing.
      path: random.fraction() < 0.5 ? made.path : made.path.replace('dryRun=All', 'dryRun='),
      accept: pick(ACCEPTED),
      ...(made.type === undefined ? {} : { type: random.fraction() < 0.9 ? made.type : pick(TYPES) }),
      ...(body === undefined ? {} : { body }),
    },
  };
}

function damaged(body: Buffer, random: Random): Buffer {
  let bytes = body;
  const at = (length: number) => Math.floor(random.fraction() * length);
  for (let time = at(6); time >= 0; time -= 1) {
    const from = at(bytes.length + 1);
    const to = Math.min(bytes.length, from + at(32));
    const kind = random.fraction();
    const token = TOKENS[at(TOKENS.length)] ?? '';
    const middle =
      kind < 0.4
        ? Buffer.from(token)
        : kind < 0.6
          ? Buffer.alloc(0)
          : kind < 0.8
            ? Buffer.concat([bytes.subarray(from, to), bytes.subarray(from, to)])
            : Buffer.from(bytes.subarray(from, to).map((byte) => byte ^ (1 << at(8))));
    bytes = Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(kind < 0.4 ? from : to)]);
  }
  return bytes.subarray(0, 64 * KIB);
}
