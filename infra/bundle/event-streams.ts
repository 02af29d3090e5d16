/**
 * Stands in for `@smithy/core/event-streams`, for operations that stream events: no function asks for one. Clients of
 * services that have some set it up when they are made.
 * Why: docs/decisions/0007-what-a-function-carries.md
 */
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;

export function eventStreamSerdeProvider(): never {
  throw new Error('no operation that streams events is part of this bundle');
}

export const EventStreamSerde = eventStreamSerdeProvider;
