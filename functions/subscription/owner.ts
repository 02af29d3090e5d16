/** The annotation that names the stack and the resource that an object belongs to. */
export const OWNER = 'winnow.dev/cloudformation';

/** The value of that annotation for a request of CloudFormation. */
export function ownerOf(request: { readonly StackId: string; readonly LogicalResourceId: string }): string {
  return `${request.StackId}/${request.LogicalResourceId}`;
}
