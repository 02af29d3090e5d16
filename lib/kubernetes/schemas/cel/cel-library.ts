import type { ASTNode, Environment } from '@marcbachmann/cel-js';

/** The library of CEL, which is loaded when the first rule is met. */
export interface CelLibrary {
  readonly Environment: typeof Environment;
  readonly serialize: (ast: ASTNode) => string;
}

let loading: Promise<CelLibrary> | undefined;

export function loadCel(): Promise<CelLibrary> {
  loading ??= load();
  return loading;
}

/** One after the other: the modules of the library import each other in a circle that has to be entered here. */
async function load(): Promise<CelLibrary> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const { serialize } = await import('@marcbachmann/cel-js/serialize');
  return { Environment, serialize };
}
