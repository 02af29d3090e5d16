/** An existing resource: the values of `Ref` and `Fn::GetAtt`. */
export interface Physical {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export type Resolve = (value: unknown) => unknown;

/**
 * Creates an evaluator of the intrinsic functions that the template uses: `Ref`, `Fn::GetAtt`, `Fn::Join`,
 * `Fn::Select`, `Fn::Split`. It throws on an unknown resource, and on any other function.
 */
export function createResolver(physical: ReadonlyMap<string, Physical>): Resolve {
  const resolve: Resolve = (value) => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && (name === 'Ref' || name?.startsWith('Fn::'))) return call(name, argument);
    return Object.fromEntries(entries.map(([key, one]) => [key, resolve(one)]));
  };

  const call = (name: string, argument: unknown): unknown => {
    if (name === 'Ref') return find(String(argument)).ref;
    if (name === 'Fn::GetAtt') return attribute(argument as [string, string]);
    const [first, second] = resolve(argument) as [unknown, unknown];
    if (name === 'Fn::Join') return (second as string[]).join(String(first));
    if (name === 'Fn::Split') return String(second).split(String(first));
    if (name === 'Fn::Select') return (second as unknown[])[Number(first)];
    throw new Error(`the template uses ${name}, which infra/local does not support`);
  };

  const attribute = ([id, name]: readonly [string, string]): string => {
    const value = find(id).attributes[name];
    if (value === undefined) throw new Error(`infra/local has no attribute ${name} of ${id}`);
    return value;
  };

  const find = (id: string): Physical => {
    const found = physical.get(id);
    if (!found) throw new Error(`infra/local has no resource ${id}`);
    return found;
  };

  return resolve;
}
