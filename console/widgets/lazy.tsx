import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { ErrorPanel, Waiting } from './panels.tsx';

interface LazyProps<Props> {
  /** Imports the part. It is called once for each place of the page. */
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

/** A part of the page whose program is loaded when it is shown for the first time. */
export function Lazy<Props extends object>({ load, props }: LazyProps<Props>) {
  const [part, setPart] = useState<{ readonly Part: ComponentType<Props> }>();
  const [error, setError] = useState<Error>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part of a place does not change
  useLayoutEffect(() => {
    load().then((Part) => setPart({ Part }), setError);
  }, []);
  if (error !== undefined) return <ErrorPanel error={error} />;
  if (part === undefined) return <Waiting />;
  return <part.Part {...props} />;
}
