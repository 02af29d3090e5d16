/**
 * Replaces `@smithy/core/event-streams`, for operations that stream events. Clients of services with such operations
 * configure it at their creation, but no function uses such an operation.
 * Why: docs/decisions/0007-what-a-bundle-contains.md
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export function eventStreamSerdeProvider(): never {
  throw new Error('no operation that streams events is part of this bundle');
}

export const EventStreamSerde = eventStreamSerdeProvider;
