import type { Filler } from '../lib/store/index.ts';

/** Has gaps filled by the function of that name, whose client is loaded with the first gap. */
export function createLambdaFiller(functionName: string): Filler {
  let opened: ReturnType<typeof open> | undefined;
  return {
    fill: async (gap, signal) => {
      opened ??= open(functionName);
      const invoke = await opened;
      await invoke(JSON.stringify(gap), signal);
    },
  };
}

async function open(functionName: string) {
  const { createInvocation } = await import('./lambda-invocations.ts');
  return createInvocation(functionName);
}
