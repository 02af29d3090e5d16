import type { Template } from '../../../infra/local/template.ts';

interface Filter {
  readonly LogGroupName: unknown;
  readonly FilterPattern: string;
  readonly MetricTransformations: readonly {
    readonly MetricNamespace: string;
    readonly MetricName: string;
    readonly MetricValue: string;
  }[];
}

/**
 * What the metric filters of a log group make of log lines: the sum of each metric, by `<namespace> <name>`. It knows the
 * two kinds of patterns that the stack has: a number in a field of JSON, and any of some texts.
 *
 * @throws {Error} a pattern is of another kind
 */
export function filteredMetrics(
  template: Template,
  logGroup: string,
  lines: readonly string[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type !== 'AWS::Logs::MetricFilter') continue;
    const { LogGroupName, FilterPattern, MetricTransformations } = Properties as unknown as Filter;
    if ((LogGroupName as { Ref?: string }).Ref !== logGroup) continue;
    for (const line of lines.filter((one) => matches(FilterPattern, one))) {
      for (const { MetricNamespace, MetricName, MetricValue } of MetricTransformations) {
        const name = `${MetricNamespace} ${MetricName}`;
        sums[name] = (sums[name] ?? 0) + metricValue(MetricValue, line);
      }
    }
  }
  return sums;
}

function matches(pattern: string, line: string): boolean {
  const [, field, bound] = /^\{ \$\.(\w+) > (\d+) \}$/.exec(pattern) ?? [];
  if (field !== undefined) return Number(parsed(line)[field]) > Number(bound);
  if (/^(\?"[^"]+" ?)+$/.test(pattern)) {
    return [...pattern.matchAll(/\?"([^"]+)"/g)].some(([, text = '']) => line.includes(text));
  }
  throw new Error(`unknown metric filter pattern ${pattern}`);
}

function metricValue(value: string, line: string): number {
  return Number(value.startsWith('$.') ? parsed(line)[value.slice(2)] : value);
}

function parsed(line: string): Record<string, unknown> {
  return line.startsWith('{') ? JSON.parse(line) : {};
}
