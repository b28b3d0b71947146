// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.xds.client.engine;

import org.jspecify.annotations.NullMarked;
