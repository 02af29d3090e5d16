import type { ApiRequest, ApiResponse } from './request.ts';
import type { UserInfo } from './user-info.ts';

/** The audit log. */
export interface Auditing {
  /** Begins the trail of a request; undefined if the audit policy selects none of its events. */
  begin(request: ApiRequest): Promise<AuditTrail | undefined>;
}

export interface Decided {
  readonly allowed: boolean;
  /** In Kubernetes' words; often empty. */
  readonly reason: string;
}

/** The audit trail of one request. */
export interface AuditTrail {
  /** Records the impersonated user. Called only if there is one. */
  answersTo(user: UserInfo): void;
  /** Records the authorization decision. Not called if the request failed before one was made. */
  decided(decision: Decided): void;
  /** Adds the annotations of admission policies. */
  annotated(annotations: ReadonlyMap<string, string>): void;
  /** Reads the body for the events. Called when the request is allowed and its body is not too large. */
  accepted(): Promise<void>;
  /**
   * Records the response and returns the response to send instead. For a response that `lasts`, its end is recorded
   * too.
   */
  answered(response: ApiResponse, how: { readonly lasts: boolean }): ApiResponse;
  /** Resolves when all events so far are stored, or will never be stored. Never rejects. */
  settled(): Promise<void>;
}
