// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.base.Loop;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.xds.client.XdsClient;

/** What the parts of a dependency manager share. */
record Dependencies(
    XdsClient client, XdsTypes types, Loop loop, HostResolver hosts, ErrorTexts texts) {}
