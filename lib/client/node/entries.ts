/** A map of a kubeconfig, whose values are of any type until they are read. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * Parses a kubeconfig. JSON needs no other package; YAML needs the package `yaml`.
 *
 * @throws {Error} the text is no map, or the package `yaml` is missing. The error contains nothing of the text
 */
export async function parseConfig(content: string, file: string): Promise<Entry> {
  const config = parseJson(content) ?? (await parseYaml(content, file)) ?? {};
  if (!isMap(config)) throw new Error(`${file} is no kubeconfig: it is not a map`);
  return config;
}

/** Yields the names and the contents of the `clusters`, `users` or `contexts` of a kubeconfig. */
export function* entriesIn(
  config: Entry,
  kind: 'cluster' | 'user' | 'context',
  file: string,
): Generator<[string, Entry]> {
  const list = config[`${kind}s`] ?? [];
  if (!Array.isArray(list)) throw new Error(`${file}: ${kind}s is not a list`);
  const names = new Set<string>();
  for (const one of list) {
    const where = `a ${kind} of ${file}`;
    const name = isMap(one) ? text(one, 'name', where) : undefined;
    if (name === undefined) throw new Error(`${where} has no name`);
    if (names.has(name)) throw new Error(`${file} has two ${kind}s with the name "${name}"`);
    names.add(name);
    yield [name, map(one, kind, `the ${kind} "${name}" of ${file}`) ?? {}];
  }
}

/** The text under a name; undefined if it is missing or empty. */
export function text(entry: Entry, name: string, where: string): string | undefined {
  const value = entry[name] ?? '';
  if (typeof value !== 'string') throw new Error(`${where}: ${name} is not text; put the value in quotes`);
  return value === '' ? undefined : value;
}

/** The texts of a list under a name; none if it is missing. */
export function texts(entry: Entry, name: string, where: string): string[] {
  const list = entry[name] ?? [];
  if (!Array.isArray(list)) throw new Error(`${where}: ${name} is not a list`);
  return list.map((one) => {
    if (typeof one === 'string') return one;
    throw new Error(`${where}: ${name} has a value that is not text; put it in quotes`);
  });
}

export function flag(entry: Entry, name: string, where: string): boolean {
  const value = entry[name] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${where}: ${name} is neither true nor false`);
  return value;
}

export function map(entry: Entry, name: string, where: string): Entry | undefined {
  const value = entry[name] ?? undefined;
  if (value !== undefined && !isMap(value)) throw new Error(`${where}: ${name} is not a map`);
  return value;
}

function isMap(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

async function parseYaml(content: string, file: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml').catch(() => {
    throw new Error(
      `the kubeconfig ${file} is YAML: run "npm install yaml", or convert it to JSON with ` +
        '"kubectl config view --raw --flatten --output json"',
    );
  });
  const lines = new LineCounter();
  // A pretty error would quote a line, which may contain a token.
  const document = parseDocument(content, { prettyErrors: false, lineCounter: lines });
  const [error] = document.errors;
  if (error === undefined) return document.toJS();
  throw new Error(
    `the kubeconfig ${file} is not YAML: line ${lines.linePos(error.pos[0]).line}: ${error.code}`,
  );
}
