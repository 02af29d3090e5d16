import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';

/** The layout of the code, `architecture.json`. Folders begin at the project's root. */
export interface Architecture {
  /** Each room, and the rooms that it may import. A name without a slash is a folder of lib; `lib/*` is all of them. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Rooms without an `index.ts` of their own: each of their folders has one. */
  readonly 'entered-by-sub-room': readonly string[];
  /** Folders that others enter by their own `index.ts`, and files that others import, past the face of what is around them. */
  readonly 'extra-faces': readonly string[];
  /** Rooms that neither import `lib/platform` nor read or write anything. */
  readonly pure: readonly string[];
  /** Rooms that may take time, chance, the process and the network from Node. All others get them as arguments. */
  readonly 'clock-allowed': readonly string[];
  /** Packages that not every room may import, with the rooms and folders that may. */
  readonly modules: Readonly<Record<string, readonly string[]>>;
}

/** Folders with code. Each file in them is in a room. */
export const TREES = ['lib', 'functions', 'infra', 'cli', 'console'];
/** Its name and version are for everyone. */
const MANIFEST = 'package.json';
/** Modules of Node that give time, or chance, or both. */
const TIMED = ['node:timers', 'node:timers/promises', 'node:perf_hooks'];
/** Modules of Node that neither read nor write. */
const PURE_MODULES = [
  'node:crypto',
  'node:net',
  'node:util',
  'node:path',
  'node:buffer',
  'node:zlib',
  'node:assert',
];

/** What breaks the layout, a line each, such as `lib/store/a.ts:3 imports lib/delivery: lib/store may not`. */
export function violationsOf(architecture: Architecture, files: readonly SourceFile[]): readonly string[] {
  const layout = new Layout(architecture);
  return [
    ...files.flatMap((file) => [...layout.misplaced(file), ...layout.forbiddenIn(file)]),
    ...circlesOf(layout.edgesOfRooms(files)).map((circle) => `rooms import each other: ${circle}`),
    ...circlesOf(layout.edgesOfFolders(files)).map((circle) => `folders import each other: ${circle}`),
  ];
}

class Layout {
  readonly #architecture: Architecture;
  /** The longest first: `infra/local` before `infra`. */
  readonly #rooms: readonly string[];

  constructor(architecture: Architecture) {
    this.#architecture = architecture;
    this.#rooms = Object.keys(architecture.rooms).sort((a, b) => b.length - a.length);
  }

  *misplaced({ path }: SourceFile): Generator<string> {
    if (this.#roomOf(path) === undefined) yield `${path} is in no room of architecture.json`;
  }

  *forbiddenIn(file: SourceFile): Generator<string> {
    const room = this.#roomOf(file.path);
    if (room === undefined) return;
    for (const { target, line } of file.imports) {
      const why = this.#whyForbidden(file.path, room, target);
      if (why !== undefined) yield `${file.path}:${line} imports ${target}: ${why}`;
    }
    if (isWithin(file.path, this.#architecture['clock-allowed'])) return;
    for (const { name, line } of file.ambient) {
      yield `${file.path}:${line} uses ${name}: ${room} gets time, chance and the world as arguments`;
    }
  }

  /** The imports between rooms. */
  edgesOfRooms(files: readonly SourceFile[]): Edges {
    return edges(files, (path) => this.#roomOf(path));
  }

  /** The imports between the folders directly inside each room. Files that lie directly in a room are left out. */
  edgesOfFolders(files: readonly SourceFile[]): Edges {
    return edges(files, (path) => {
      const room = this.#roomOf(path);
      const [folder, file] = path.slice((room ?? '').length + 1).split('/');
      return room === undefined || file === undefined ? undefined : `${room}/${folder}`;
    });
  }

  #roomOf(path: string): string | undefined {
    return this.#rooms.find((room) => path.startsWith(`${room}/`));
  }

  #whyForbidden(path: string, room: string, target: string): string | undefined {
    if (!isOfProject(target)) return this.#whyModuleForbidden(path, room, target);
    if (target === MANIFEST) return undefined;
    const other = this.#roomOf(target);
    if (other === undefined) return 'it is in no room of architecture.json';
    if (other !== room && !this.#mayImport(room, other, target)) return `${room} may not import ${other}`;
    return this.#isEntered(path, target, other) ? undefined : "import the folder's index.ts";
  }

  #mayImport(room: string, other: string, target: string): boolean {
    return (this.#architecture.rooms[room] ?? []).some((allowed) => {
      if (allowed === 'lib/*') return other.startsWith('lib/');
      const folder = TREES.includes(allowed.split('/')[0] ?? '') ? allowed : `lib/${allowed}`;
      return folder === other || (folder.startsWith(`${other}/`) && target.startsWith(`${folder}/`));
    });
  }

  /** The target lies in the importer's folder or in one around it, or is the face of a folder there or of a room. */
  #isEntered(path: string, target: string, other: string): boolean {
    const folder = posix.dirname(target);
    const isAround = (around: string) => path.startsWith(`${around}/`);
    if (isAround(folder) || this.#architecture['extra-faces'].includes(target)) return true;
    if (posix.basename(target) !== 'index.ts') return false;
    const parent = posix.dirname(folder);
    return (
      (parent !== 'lib' && isAround(parent)) ||
      folder === other ||
      (parent === other && this.#architecture['entered-by-sub-room'].includes(other)) ||
      this.#architecture['extra-faces'].includes(folder)
    );
  }

  #whyModuleForbidden(path: string, room: string, target: string): string | undefined {
    const { modules, pure } = this.#architecture;
    if (target.startsWith('node:')) {
      const isTimed = TIMED.includes(target) && !isWithin(path, this.#architecture['clock-allowed']);
      if (isTimed) return `${room} gets time as an argument`;
      return pure.includes(room) && !PURE_MODULES.includes(target) ? `${room} is pure` : undefined;
    }
    const allowed = Object.entries(modules).find(([name]) => isNamed(name, target));
    if (allowed === undefined) return 'architecture.json does not list the package';
    return isWithin(path, allowed[1]) ? undefined : `only ${allowed[1].join(', ')} may`;
  }
}

const isOfProject = (target: string) => /\.tsx?$/.test(target) || target.endsWith('.json');
const isWithin = (path: string, folders: readonly string[]) =>
  folders.some((folder) => path.startsWith(`${folder}/`));

/** `@aws-sdk/*` names all of a scope, `aws-cdk-lib` a package with all its parts. */
function isNamed(name: string, target: string): boolean {
  return name.endsWith('/*')
    ? target.startsWith(name.slice(0, -1))
    : target === name || target.startsWith(`${name}/`);
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

function edges(files: readonly SourceFile[], placeOf: (path: string) => string | undefined): Edges {
  const found = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const from = placeOf(path);
    if (from === undefined) continue;
    for (const { target } of imports) {
      const to = placeOf(target);
      if (to === undefined || to === from) continue;
      found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return found;
}

/** Each circle once, such as `a -> b -> a`: of every set of places that reach each other, a shortest way around. */
function circlesOf(edges: Edges): readonly string[] {
  const left = new Set(edges.keys());
  const circles: string[] = [];
  for (const start of edges.keys()) {
    if (!left.has(start)) continue;
    const way = wayAround(edges, start);
    if (way === undefined) continue;
    for (const place of way) left.delete(place);
    circles.push([...way, start].join(' -> '));
  }
  return circles;
}

/** The places from `start` on a shortest way back to it; undefined where there is none. */
function wayAround(edges: Edges, start: string): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of edges.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}
