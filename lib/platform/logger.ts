/** The data of one log entry. Powertools reserves some names and drops data under them. */
export type LogData = Readonly<Record<string, unknown>> & {
  readonly [Reserved in 'level' | 'message' | 'sampling_rate' | 'service' | 'timestamp']?: never;
};

/** Structured logging: a fixed message and the data of the occurrence. Powertools' Logger implements it. */
export interface Logger {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
