/** Where the stack is deployed to. */
export interface Target {
  /** For the report. */
  readonly name: string;
  /** What CDK calls an environment: `aws://<account>/<region>`. */
  readonly environment: string;
  /** The emulator as the CDK context of that name has it; none on AWS. */
  readonly emulator?: string;
  /** What the CDK's process gets beside this one's environment. */
  readonly variables: Readonly<Record<string, string>>;
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

/** Any will do for an emulator. */
export const EMULATOR_CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

/** The account that emulators deploy to. */
export const EMULATOR_ACCOUNT = '000000000000';
