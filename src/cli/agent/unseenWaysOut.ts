/** How a command runs that was denied only because nobody has seen what the agent changed. For people and the model. */
export const unseenWaysOut =
  'With --confine workspace the command runs confined (Linux). With --allow-unseen it runs unconfined, and code that the ' +
  'agent wrote then runs as you before anybody has looked at it.';
