/** The part of the protocol's package that takes longest to load, for loading it by itself. */
export { JSONRPCMessageSchema } from "@modelcontextprotocol/core";
