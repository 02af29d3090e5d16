export { type AwsTokenOptions, awsToken } from './aws-token.ts';
export { type AwsCredentials, type SignTokenOptions, signToken } from './sign-token.ts';
