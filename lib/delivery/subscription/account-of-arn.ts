/**
 * The account in an ARN of IAM or SQS, such as `arn:aws:sqs:eu-central-1:111122223333:queue`. Empty if there is none.
 */
export function accountOfArn(arn: string): string {
  return arn.split(':')[4] ?? '';
}
