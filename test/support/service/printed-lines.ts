/** A line of JSON, as functions print their logs and metrics. */
export type PrintedLine = Readonly<Record<string, unknown>>;

/** A line of metrics in CloudWatch's embedded format. */
export interface MetricsLine extends PrintedLine {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
}

export interface PrintedLines {
  /** The lines that were printed so far. */
  readonly logs: readonly PrintedLine[];
  readonly metrics: readonly MetricsLine[];
  /** Restores the standard output. */
  release(): void;
}

/** Keeps what this process prints to its standard output, instead of showing it; and its errors, where that is said. */
export function capturePrintedLines({ errors = false } = {}): PrintedLines {
  const logs: PrintedLine[] = [];
  const metrics: MetricsLine[] = [];
  const streams = errors ? [process.stdout, process.stderr] : [process.stdout];
  const writes = streams.map(({ write }) => write);
  const take = (line: string) => {
    const parsed: PrintedLine = JSON.parse(line);
    if ('_aws' in parsed) {
      metrics.push(parsed as MetricsLine);
    } else {
      logs.push(parsed);
    }
  };
  for (const stream of streams) {
    stream.write = (chunk: string | Uint8Array): boolean => {
      const text = Buffer.from(chunk).toString();
      for (const line of text.split('\n')) if (line.startsWith('{')) take(line);
      return true;
    };
  }
  return {
    logs,
    metrics,
    release: () => {
      for (const [at, stream] of streams.entries()) stream.write = writes[at] ?? stream.write;
    },
  };
}

/** Every metric that CloudWatch would make of the lines: `<namespace> <name> <dimension>=<value> …`. */
export function spellMetrics(lines: readonly MetricsLine[]): Set<string> {
  const spelled = lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
      Metrics.flatMap(({ Name }) =>
        Dimensions.map((names) =>
          spellMetric(
            Namespace,
            Name,
            names.map((name) => [name, String(line[name])]),
          ),
        ),
      ),
    ),
  );
  return new Set(spelled);
}

export function spellMetric(
  namespace: string,
  name: string,
  dimensions: readonly (readonly [name: string, value: string])[],
): string {
  return [namespace, name, ...dimensions.map((pair) => pair.join('=')).sort()].join(' ');
}
