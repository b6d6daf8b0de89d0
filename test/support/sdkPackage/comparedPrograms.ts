/** The programs of one library in docs/other-sdks.md: five complete modules, each with the library's head. */
export function programsOf(markdown: string, library: string, baseUrl: string): readonly string[] {
  const fences = [...markdown.matchAll(/^```ts (\S+)\n([\s\S]*?)^```$/gm)];
  const [head = '', ...programs] = fences.flatMap(([, name, code = '']) => (name === library ? [code] : []));
  const url = new URL(baseUrl);
  return programs.map((program) => `${head}\n${program}`.replaceAll('http://localhost:8080', url.origin));
}
