/** Of list prices in US dollars, with nothing taken off: no free tier, no savings plan, no tax. */
export interface Prices {
  readonly region: string;
  /** When they were last compared with the price lists. */
  readonly of: string;
  readonly api: { readonly request: number };
  readonly functions: { readonly request: number; readonly gigabyteSecond: number };
  readonly table: {
    readonly readUnit: number;
    readonly writeUnit: number;
    readonly readUnitHour: number;
    readonly writeUnitHour: number;
    readonly gigabyteMonth: number;
    readonly recoveryGigabyteMonth: number;
  };
  readonly queues: { readonly fifoRequest: number };
  readonly watching: {
    readonly metricMonth: number;
    readonly alarmMonth: number;
    readonly dashboardMonth: number;
    readonly logGigabyte: number;
  };
  /** What Winnow is compared with. */
  readonly cluster: { readonly controlPlaneHour: number; readonly nodeHour: number };
}

const MILLION = 1e6;

/**
 * https://aws.amazon.com/<service>/pricing: api-gateway (REST), lambda (arm64), dynamodb (standard table class),
 * sqs, cloudwatch, eks (standard support), ec2 (t4g.medium, on demand).
 */
export const PRICES: Prices = {
  region: 'us-east-1',
  of: '2026-11',
  api: { request: 3.5 / MILLION },
  functions: { request: 0.2 / MILLION, gigabyteSecond: 0.000_013_333_4 },
  table: {
    readUnit: 0.125 / MILLION,
    writeUnit: 0.625 / MILLION,
    readUnitHour: 0.000_13,
    writeUnitHour: 0.000_65,
    gigabyteMonth: 0.25,
    recoveryGigabyteMonth: 0.2,
  },
  queues: { fifoRequest: 0.5 / MILLION },
  watching: { metricMonth: 0.3, alarmMonth: 0.1, dashboardMonth: 3, logGigabyte: 0.5 },
  cluster: { controlPlaneHour: 0.1, nodeHour: 0.0336 },
};
