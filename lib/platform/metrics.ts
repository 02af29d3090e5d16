/** The namespace in CloudWatch. The dimension `service`, the stack's name, is on every metric. */
export const METRICS_NAMESPACE = 'Winnow';

/** Every metric and its unit, as CloudWatch spells it. docs/runbook.md says what each one counts. */
export const METRICS = {
  RequestLatency: 'Milliseconds',
  JournalLag: 'Milliseconds',
  DispatchLag: 'Milliseconds',
  OldestEntryAge: 'Milliseconds',
  LookLag: 'Milliseconds',
  DueLag: 'Milliseconds',
  CatchingUpSubscriptions: 'Count',
  HolesFilled: 'Count',
  UndecidedHoles: 'Count',
  Throttles: 'Count',
  Retries: 'Count',
  WriteRetries: 'Count',
  FailedSends: 'Count',
  CutChains: 'Count',
  UncheckedLogins: 'Count',
  RefusedTokens: 'Count',
  UnsentAuditEvents: 'Count',
  CanarySuccess: 'Count',
  CanaryDelay: 'Milliseconds',
} as const;

export type MetricName = keyof typeof METRICS;

/** As Kubernetes names them; `other` is what is not about objects. */
export const VERBS = [
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const),
  'other',
] as const;

export const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** What a metric is told apart by, beside `service`. Few values each: CloudWatch bills every one as a metric. */
export interface MetricDimensions {
  readonly verb: (typeof VERBS)[number];
  readonly status: (typeof STATUSES)[number];
}

/** Measurements, as the library gives them. */
export interface Metrics {
  /** One measurement of a metric, also shown by each of the dimensions alone. Never throws. */
  record(metric: MetricName, value: number, dimensions?: MetricDimensions): void;
}
