/** The retention periods of CloudWatch Logs in days. */
export const LOG_RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1_096, 1_827, 2_192, 2_557, 2_922, 3_288,
  3_653,
] as const;
