/** The type of the webview of a chat in an editor. `package.json` names it too. */
export const chatTabType = 'openAgent.chatTab';
