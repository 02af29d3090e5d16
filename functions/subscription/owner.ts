/** The annotation that says which resource of which stack an object belongs to. */
export const OWNER = 'winnow.dev/cloudformation';

/** The resource of a request of CloudFormation's. */
export function ownerOf(request: { readonly StackId: string; readonly LogicalResourceId: string }): string {
  return `${request.StackId}/${request.LogicalResourceId}`;
}
