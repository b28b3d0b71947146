// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;

/**
 * A resource of a response that could be decoded.
 *
 * @param name its name
 * @param version its own in Delta, that of the response in SotW
 * @param message what it says
 */
record DecodedResource(String name, String version, Message message) {}
