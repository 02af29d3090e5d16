/** Where the stack is deployed to. */
export interface Target {
  /** For the report. */
  readonly name: string;
  /** What CDK calls an environment: `aws://<account>/<region>`. */
  readonly environment: string;
  /** Its name, as the CDK context has it, where this is an emulator. */
  readonly emulator?: string;
  /** CDK context, `name=value` each. */
  readonly context: readonly string[];
  /** What the CDK's and kubectl's processes get beside this one's environment; undefined takes away. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What every SDK client is made with. */
  readonly client: ClientConfig;
  /** Whether everything that was deployed is gone once this is stopped. */
  readonly temporary: boolean;
  /** Ends what was started for the test. */
  stop(): Promise<void>;
}

export interface ClientConfig {
  readonly region: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}
