export interface InitOptions {
  readonly fromStack?: string;
  readonly file: string;
}
