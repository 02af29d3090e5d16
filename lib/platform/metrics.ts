/** The namespace in CloudWatch. Every metric has the dimension `service`, the stack's name. */
export const METRICS_NAMESPACE = 'Winnow';

/** Every metric and its unit, as CloudWatch spells it. docs/runbook.md defines each metric. */
export const METRICS = {
  RequestLatency: 'Milliseconds',
  PolicyLatency: 'Milliseconds',
  WebhookLatency: 'Milliseconds',
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
  StreamAge: 'Milliseconds',
  SetAsideMessages: 'Count',
  CanarySuccess: 'Count',
  CanaryDelay: 'Milliseconds',
} as const;

export type MetricName = keyof typeof METRICS;

/** The verbs as Kubernetes names them; `other` stands for requests that are not about objects. */
export const VERBS = [
  ...(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const),
  'other',
] as const;

export const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** The outcomes of admission policies or webhooks for one write; `failed` means that they could not decide. */
export const OUTCOMES = ['admitted', 'denied', 'failed'] as const;

/**
 * The dimensions of a metric besides `service`. Each has few values, because CloudWatch bills every value as a
 * metric.
 */
export interface MetricDimensions {
  readonly verb?: (typeof VERBS)[number];
  readonly status?: (typeof STATUSES)[number];
  readonly outcome?: (typeof OUTCOMES)[number];
}

/** Records the library's measurements. */
export interface Metrics {
  /** Records one value of a metric; each dimension is also reported alone. Never throws. */
  record(metric: MetricName, value: number, dimensions?: MetricDimensions): void;
}
