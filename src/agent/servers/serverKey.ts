/** The key of a server. All loopback names are one machine, and all paths are one server. */
export function serverKey(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || url.hostname.startsWith('127.');
  return `${url.protocol}//${isLoopback ? 'localhost' : url.hostname}:${url.port}`;
}
