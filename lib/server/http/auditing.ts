import type { ApiRequest, ApiResponse } from './request.ts';
import type { UserInfo } from './user-info.ts';

/** Writes down who did what. */
export interface Auditing {
  /** Undefined for a request of which nothing is told. */
  begin(request: ApiRequest): Promise<AuditTrail | undefined>;
}

export interface Decided {
  readonly allowed: boolean;
  /** In Kubernetes' words; often empty. */
  readonly reason: string;
}

/** What is written down of one request. */
export interface AuditTrail {
  /** The impersonated user, if there is one. */
  answersTo(user: UserInfo): void;
  /** Whether the request is allowed. Where nothing is said, nobody came to decide. */
  decided(decision: Decided): void;
  /** The request may be sent and its body is not too large: reads what the events say of the body. */
  accepted(): Promise<void>;
  /** The answer, to be given instead: one that `lasts` is told again when it ends. */
  answered(response: ApiResponse, how: { readonly lasts: boolean }): ApiResponse;
  /** Resolves when what was written down so far is where it is to be, or will not get there. Never rejects. */
  settled(): Promise<void>;
}
