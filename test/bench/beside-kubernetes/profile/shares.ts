/** A function in a CPU profile. */
export interface CallFrame {
  readonly functionName: string;
  /** `file:///…`, `node:…`, or empty for a function of the engine. */
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

export interface ProfileNode {
  readonly id: number;
  readonly callFrame: CallFrame;
  /** The number of samples in the function itself. */
  readonly hitCount?: number;
  readonly children?: readonly number[];
}

/** A CPU profile of V8: a tree whose first node is the root. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
}

const GARBAGE = 'garbage collection';
/** Code without a JavaScript function: system calls, encryption, the event loop. */
const NATIVE = 'native code of Node';
const HTTP = 'HTTP, TLS and streams of Node';
const IS_HTTP =
  /^node:(_http|http|https|net|tls|_tls|stream|events|buffer|dns|internal\/(streams|http|stream_base|tls|webstreams|js_stream|net))/;
/** Files of the SDK that turn requests and answers into JSON, and back. */
const IS_MARSHALLING = /schema|serde|protocol|json|cbor|marshal|codec/i;

/**
 * The parts of a profile's samples, by folder; together they are 1. A function of the engine, such as `JSON.parse`,
 * counts as its caller. Idle time does not count.
 *
 * @param fileOf finds the source file of a function that has a file
 */
export function sharesOf(
  { nodes }: CpuProfile,
  fileOf: (frame: CallFrame) => string,
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hits = new Map<string, number>();
  const visit = (node: ProfileNode, caller: string) => {
    const part = partOf(node.callFrame, caller, fileOf);
    if (part !== undefined) hits.set(part, (hits.get(part) ?? 0) + (node.hitCount ?? 0));
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) visit(child, part ?? NATIVE);
    }
  };
  const [first] = nodes;
  if (first !== undefined) visit(first, NATIVE);
  const all = [...hits.values()].reduce((sum, one) => sum + one, 0);
  const found = [...hits].filter(([, count]) => count > 0);
  return new Map(found.map(([part, count]) => [part, count / all] as const).sort(([, a], [, b]) => b - a));
}

/** Undefined for idle time. */
function partOf(frame: CallFrame, caller: string, fileOf: (frame: CallFrame) => string): string | undefined {
  const { functionName, url } = frame;
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return GARBAGE;
  if (functionName === '(program)' || functionName === '(root)') return NATIVE;
  if (url === '') return caller;
  if (url.startsWith('node:')) return IS_HTTP.test(url) ? HTTP : url.split('/').slice(0, 2).join('/');
  return folderOf(fileOf(frame));
}

/** The part that a source file belongs to: `lib/store`, `SDK: marshalling`, `fauxqs (SQS)`. */
export function folderOf(file: string): string {
  const [own, ...packages] = file.split('node_modules/');
  const path = packages.at(-1);
  if (path === undefined) return (own ?? '').split('/').slice(0, 2).join('/');
  const [first = '', second = ''] = path.split('/');
  if (first === '@aws-sdk' || first === '@smithy' || first === '@aws-crypto') {
    return IS_MARSHALLING.test(path) ? 'SDK: marshalling' : 'SDK: all other';
  }
  return first.startsWith('@') ? `${first}/${second}` : first;
}
