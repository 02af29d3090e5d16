/** The kinds of derived data. */
const WHAT = ['status', 'endpointslices', 'leases'] as const;

/** The values of the setting `derived`. `namespaces` derives data only in namespaces that ask for it. */
export const DERIVABLE = [...WHAT, 'namespaces'] as const;

export type What = (typeof WHAT)[number];

export type Derivable = (typeof DERIVABLE)[number];

/**
 * Reads the setting `derived`.
 * @throws {Error} A name is unknown: without an error, a misspelled name would be ignored.
 */
export function readDerivable(names: readonly string[]): readonly Derivable[] {
  return names.map((name) => {
    const known = DERIVABLE.find((one) => one === name);
    if (known !== undefined) return known;
    throw new Error(`unknown value "${name}" for derived; use ${DERIVABLE.join(', ')}`);
  });
}

/** The kinds of derived data among `names`; ignores unknown names. */
export function whatOf(names: readonly string[]): ReadonlySet<What> {
  return new Set(names.flatMap((name) => WHAT.filter((one) => one === name)));
}
