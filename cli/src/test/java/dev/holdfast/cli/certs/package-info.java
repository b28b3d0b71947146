// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.cli.certs;

import org.jspecify.annotations.NullMarked;
