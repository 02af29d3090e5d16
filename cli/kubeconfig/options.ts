export interface KubeconfigOptions {
  readonly outputs: string;
  readonly stack?: string;
  /** `true` stands for the default URL of `winnow start`. */
  readonly local?: string | true;
  readonly kubeconfig?: string;
  readonly force?: boolean;
}
