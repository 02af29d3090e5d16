/** An error that API Gateway answers itself. */
export class GatewayError extends Error {
  /** A response type of API Gateway. */
  readonly type: string;

  constructor(type: string, cause?: unknown) {
    super(type, { cause });
    this.type = type;
  }
}
