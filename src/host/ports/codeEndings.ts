/** The endings of files with code, for which people have language servers. Not of data, texts and styles. */
export const codeEndings: readonly string[] = (
  'ts tsx mts cts js jsx mjs cjs vue svelte py pyi go rs java kt kts scala groovy cs fs vb c h cc cpp cxx hpp m mm ' +
  'swift php rb lua dart ex exs erl hs ml clj jl r pl sh bash ps1 zig'
).split(' ');
