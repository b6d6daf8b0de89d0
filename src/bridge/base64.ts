// Commands between extension hosts carry JSON. `Buffer` is absent where VS Code runs in a browser.

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.byteLength; from += 8_192) {
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  }
  return btoa(text);
}
