const orders = new Map([["A-7", { paid: 80, payments: 2 }]]);

/** What the model sees of the tool, and what the tool does. Replace the map with your own data. */
export const findOrder = {
  name: "find_order",
  description: "finds an order by its number",
  parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  effect: "read",
  execute: ({ order }: { order: string }) => orders.get(order) ?? `There is no order ${order}.`,
};
