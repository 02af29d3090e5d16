import type { ASTNode, Environment } from '@marcbachmann/cel-js';

/** The CEL library, which is loaded for the first rule. */
export interface CelLibrary {
  readonly Environment: typeof Environment;
  readonly serialize: (ast: ASTNode) => string;
}

let loading: Promise<CelLibrary> | undefined;

export function loadCel(): Promise<CelLibrary> {
  loading ??= load();
  return loading;
}

/**
 * Loads the modules one after the other. They import each other in a cycle, which must be entered at the first one.
 */
async function load(): Promise<CelLibrary> {
  const { Environment } = await import('@marcbachmann/cel-js');
  const { serialize } = await import('@marcbachmann/cel-js/serialize');
  return { Environment, serialize };
}
