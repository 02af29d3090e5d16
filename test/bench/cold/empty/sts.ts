/** There is no client of the SDK here: the authorizer asks STS with fetch. */
export async function handler(): Promise<void> {
  const response = await fetch(`${process.env.WINNOW_STS_ENDPOINT}/`);
  await response.text();
}
