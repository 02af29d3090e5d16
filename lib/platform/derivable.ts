/** What can be derived from objects. */
const WHAT = ['status', 'endpointslices', 'leases'] as const;

/** What a deployment may choose; `namespaces`: nothing but where a namespace asks for it. */
export const DERIVABLE = [...WHAT, 'namespaces'] as const;

export type What = (typeof WHAT)[number];

export type Derivable = (typeof DERIVABLE)[number];

/** @throws {Error} a name that is none: a typo must not choose. */
export function readDerivable(names: readonly string[]): readonly Derivable[] {
  return names.map((name) => {
    const known = DERIVABLE.find((one) => one === name);
    if (known !== undefined) return known;
    throw new Error(`unknown value "${name}" for derived; use ${DERIVABLE.join(', ')}`);
  });
}

/** What is derived of names that somebody wrote: those that are none are nothing. */
export function whatOf(names: readonly string[]): ReadonlySet<What> {
  return new Set(names.flatMap((name) => WHAT.filter((one) => one === name)));
}
