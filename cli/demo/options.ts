export interface DemoOptions {
  readonly file?: readonly string[];
  readonly selector?: string;
  readonly fixtures: string;
  readonly placement?: boolean;
}
